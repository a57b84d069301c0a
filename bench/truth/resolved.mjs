// What the TypeScript checker says each module exports, and where each name is declared.
//
//     node resolved.mjs TYPESCRIPT TSCONFIG < paths
//
// Run in the repository; TYPESCRIPT is a folder that holds `node_modules/typescript`. Writes one JSON array a file:
// [path, [[name, path of its declaration], ...]]. No library is loaded: names need no types.
// Where a declaration lies beside the JavaScript it declares, JavaScript is taken to import JavaScript, as it does
// when it runs; the compiler by itself would read the declaration.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const ts = createRequire(path.join(path.resolve(process.argv[2]), 'here.js'))('typescript');
const root = process.cwd();
const config = process.argv[3];
const paths = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
const read = ts.readConfigFile(path.join(root, config), ts.sys.readFile).config ?? {};
const { options } = ts.convertCompilerOptionsFromJson(read.compilerOptions ?? {}, root, config);
Object.assign(options, {
  allowJs: true,
  checkJs: false,
  noEmit: true,
  noLib: true,
  types: [],
  jsx: ts.JsxEmit.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  module: ts.ModuleKind.ESNext,
  pathsBasePath: root,
});

const host = ts.createCompilerHost(options);
const cache = ts.createModuleResolutionCache(root, (name) => name, options);

function plain(module, importer) {
  if (!module || !/\.[mc]?jsx?$/.test(importer)) return module;
  const stem = module.resolvedFileName.match(/^(.*?)(\.d)?\.[mc]?tsx?$/)?.[1];
  for (const extension of stem ? ['.js', '.jsx', '.mjs', '.cjs'] : []) {
    if (fs.existsSync(stem + extension)) return { ...module, resolvedFileName: stem + extension, extension };
  }
  return module;
}

host.resolveModuleNameLiterals = (literals, importer) =>
  literals.map((literal) => {
    const found = ts.resolveModuleName(literal.text, importer, options, host, cache).resolvedModule;
    return { resolvedModule: plain(found, importer) };
  });

const program = ts.createProgram(paths.map((file) => path.join(root, file)), options, host);
const checker = program.getTypeChecker();

function declared(symbol) {
  const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const place = (real.declarations ?? symbol.declarations ?? [])[0];
  return place ? path.relative(root, place.getSourceFile().fileName) : '';
}

for (const file of paths) {
  const source = program.getSourceFile(path.join(root, file));
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) continue;
  const names = checker.getExportsOfModule(symbol).map((each) => [each.name, declared(each)]);
  process.stdout.write(`${JSON.stringify([file, names])}\n`);
}
