// Which components each file declares, as the TypeScript compiler's tree shows them.
//
//     node components.mjs TYPESCRIPT < paths
//
// Run in the repository; TYPESCRIPT is a folder that holds `node_modules/typescript`. Writes one JSON array a file:
// [path, names of exported React components, names of classes with Angular's @Component].
// A React component is an exported function, class or value with a capital first letter whose own syntax draws:
// it returns JSX, or is made by forwardRef, memo, lazy, styled or createElement. A default export without a name
// counts if it draws.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const ts = createRequire(path.join(path.resolve(process.argv[2]), 'here.js'))('typescript');
const paths = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
const MAKERS = new Set(['forwardRef', 'memo', 'lazy', 'createElement', 'jsx', 'jsxs', '_jsx', '_jsxs']);
const is = (node, kind) => node.modifiers?.some((each) => each.kind === ts.SyntaxKind[kind]) ?? false;

function callee(node) {
  let name = node;
  while (ts.isCallExpression(name) || ts.isTaggedTemplateExpression(name)) name = name.expression ?? name.tag;
  if (ts.isPropertyAccessExpression(name)) return [name.expression.getText(), name.name.text];
  return ['', ts.isIdentifier(name) ? name.text : ''];
}

function draws(node) {
  if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) return true;
  if (ts.isTypeNode(node)) return false;
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node)) {
    const [object, name] = callee(node);
    if (name === 'styled' || object === 'styled') return true;
    if (MAKERS.has(name) && ['', 'React'].includes(object)) return true;
  }
  return ts.forEachChild(node, draws) ?? false;
}

function declarations(source) {
  const found = new Map();
  for (const node of source.statements) {
    if (ts.isVariableStatement(node)) {
      for (const each of node.declarationList.declarations) {
        if (ts.isIdentifier(each.name) && each.initializer) found.set(each.name.text, each.initializer);
      }
    } else if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name) {
      found.set(node.name.text, node);
    }
  }
  return found;
}

function exported(source) {
  const known = declarations(source);
  const found = [];
  for (const node of source.statements) {
    if (ts.isVariableStatement(node) && is(node, 'ExportKeyword')) {
      for (const each of node.declarationList.declarations) {
        if (ts.isIdentifier(each.name) && each.initializer) found.push([each.name.text, each.initializer]);
      }
    } else if ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && is(node, 'ExportKeyword')) {
      found.push([node.name?.text ?? '', node]);
    } else if (ts.isExportAssignment(node) && !node.isExportEquals) {
      let value = node.expression;
      while (ts.isParenthesizedExpression(value) || ts.isAsExpression(value)) value = value.expression;
      const name = ts.isIdentifier(value) ? value.text : '';
      if (!name || known.has(name)) found.push([name, known.get(name) ?? value]);
    } else if (ts.isExportDeclaration(node) && !node.moduleSpecifier && node.exportClause?.elements) {
      for (const each of node.exportClause.elements) {
        const name = (each.propertyName ?? each.name).text;
        if (known.has(name)) found.push([each.name.text === 'default' ? name : each.name.text, known.get(name)]);
      }
    }
  }
  return found;
}

function wrapped(node, known) {
  // `export default memo(Button)` and `connect(...)(Button)` draw what they are given.
  if (!ts.isCallExpression(node)) return false;
  return node.arguments.some((each) => ts.isIdentifier(each) && known.has(each.text) && draws(known.get(each.text)));
}

function decorated(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isClassDeclaration(node)) {
      for (const each of ts.getDecorators(node) ?? []) {
        const name = ts.isCallExpression(each.expression) ? each.expression.expression.getText() : '';
        if (name === 'Component') found.push(node.name?.text ?? '');
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

for (const file of paths) {
  const kind = /\.[mc]?ts$/.test(file) ? ts.ScriptKind.TS : ts.ScriptKind.TSX;
  const text = fs.readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const known = declarations(source);
  // Angular has a forwardRef of its own.
  const other = source.isDeclarationFile || /from ['"]@angular\/core['"]/.test(text);
  const react = other ? [] : exported(source)
    .filter(([name, node]) => (!name || /^\p{Lu}/u.test(name)) && (draws(node) || wrapped(node, known)))
    .map(([name]) => name);
  process.stdout.write(`${JSON.stringify([file, react, decorated(source)])}\n`);
}
