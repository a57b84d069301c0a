// The syntactic exports of every file named on stdin, as the TypeScript compiler parses it: one JSON line a file.
//   node exports.mjs FOLDER-OF-TYPESCRIPT < paths
// [path, whole, [[name, kind, local, source]...], [module...], [mark...]]; kinds of bare names are not told ("?").
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';

const ts = createRequire(process.argv[2] + '/')('typescript');
const K = ts.SyntaxKind;
const WRAPPERS = new Set(['memo', 'forwardRef', 'observer']);
const MAKERS = new Set(['connect', 'compose', 'inject']);
const withs = (name) => /^with\p{Lu}/u.test(name);

const has = (node, kind) => (ts.getModifiers(node) ?? []).some((one) => one.kind === kind);
const bare = (node) => {
  while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression?.(node) ||
    ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node)) node = node.expression;
  return node;
};
const last = (node) => (ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : '');

function ownName(node) {
  return node && (ts.isFunctionExpression(node) || ts.isClassExpression(node)) ? node.name?.text ?? '' : '';
}

function called(node) {
  if (!ts.isCallExpression(node)) return '';
  const curried = ts.isCallExpression(node.expression);
  const name = last(curried ? node.expression.expression : node.expression);
  const given = node.arguments[0] && bare(node.arguments[0]);
  if (curried ? MAKERS.has(name) || withs(name) : WRAPPERS.has(name) || withs(name)) {
    if (!given) return '';
    return ts.isIdentifier(given) ? given.text : ts.isCallExpression(given) ? called(given) : ownName(given);
  }
  let inner = node;
  for (let one = node; ts.isCallExpression(one) || ts.isPropertyAccessExpression(one); one = one.expression) {
    if (ts.isCallExpression(one)) inner = one;
  }
  const innermost = last(inner.expression);
  return MAKERS.has(innermost) || withs(innermost) ? '' : ownName(inner.arguments[0] && bare(inner.arguments[0]));
}

function value(expression) {
  const node = bare(expression);
  if (ts.isIdentifier(node)) return node.text === 'undefined' ? ['value', ''] : ['?', node.text];
  if (ts.isFunctionExpression(node)) return ['function', node.name?.text ?? ''];
  if (ts.isArrowFunction(node)) return ['function', ''];
  if (ts.isClassExpression(node)) return ['class', node.name?.text ?? ''];
  return ['value', called(node)];
}

function bound(name, into) {
  if (ts.isIdentifier(name)) into.push(name.text);
  else for (const one of name.elements) if (one.name) bound(one.name, into);
}

const KINDS = new Map([
  [K.FunctionDeclaration, 'function'], [K.ClassDeclaration, 'class'], [K.InterfaceDeclaration, 'interface'],
  [K.TypeAliasDeclaration, 'type'], [K.EnumDeclaration, 'enum'], [K.ModuleDeclaration, 'namespace'],
]);

function imported(file) {
  const map = new Map();
  for (const one of file.statements) {
    if (!ts.isImportDeclaration(one) || !one.importClause) continue;
    const source = one.moduleSpecifier.text;
    const { name, namedBindings } = one.importClause;
    if (name) map.set(name.text, ['default', source]);
    if (namedBindings && ts.isNamespaceImport(namedBindings)) map.set(namedBindings.name.text, ['*', source]);
    else for (const each of namedBindings?.elements ?? []) {
      map.set(each.name.text, [(each.propertyName ?? each.name).text, source]);
    }
  }
  return map;
}

function statement(node, tell, bindings, every) {
  if (ts.isExportDeclaration(node)) return passed(node, tell, bindings);
  if (ts.isExportAssignment(node)) {
    const [kind, local] = value(node.expression);
    const passes = kind === '?' && bindings.get(local);
    return passes ? tell('default', '', ...passes) : tell('default', kind, local);
  }
  if (!has(node, K.ExportKeyword) && !every) return undefined;
  if (ts.isVariableStatement(node)) {
    const flags = node.declarationList.flags;
    const kind = flags & ts.NodeFlags.Const ? 'const' : flags & ts.NodeFlags.Let ? 'let' : 'var';
    const names = [];
    for (const one of node.declarationList.declarations) bound(one.name, names);
    return names.forEach((name) => tell(name, kind));
  }
  if (ts.isImportEqualsDeclaration(node)) {
    if (!has(node, K.ExportKeyword)) return undefined;
    const from = ts.isExternalModuleReference(node.moduleReference);
    return from ? tell(node.name.text, 'namespace', '*', node.moduleReference.expression.text) : tell(node.name.text, '');
  }
  const kind = KINDS.get(node.kind);
  if (!kind || node.flags & ts.NodeFlags.GlobalAugmentation || (node.name && ts.isStringLiteral(node.name))) return undefined;
  return has(node, K.DefaultKeyword) ? tell('default', kind, node.name?.text ?? '') : node.name && tell(node.name.text, kind);
}

function passed(node, tell, bindings) {
  const source = node.moduleSpecifier?.text ?? '';
  const kind = node.isTypeOnly ? 'type' : '';
  if (!node.exportClause) return tell('*', kind, '', source);
  if (ts.isNamespaceExport(node.exportClause)) return tell(node.exportClause.name.text, 'namespace', '*', source);
  for (const one of node.exportClause.elements) {
    const local = (one.propertyName ?? one.name).text;
    const its = one.isTypeOnly ? 'type' : kind;
    const from = source ? undefined : bindings.get(local);
    if (from) tell(one.name.text, its, ...from);
    else tell(one.name.text, source ? its : its || '?', local, source);
  }
}

// CommonJS: names only, wherever they are assigned.
function common(file, tell) {
  const isExports = (node) => (ts.isIdentifier(node) && node.text === 'exports') || isModule(node);
  const isModule = (node) => ts.isPropertyAccessExpression(node) && node.name.text === 'exports' &&
    ts.isIdentifier(node.expression) && node.expression.text === 'module';
  const key = (node) => (ts.isPropertyAccessExpression(node) ? node.name.text
    : ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : '');
  const whole = (node) => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken) return whole(node.right);
    if (ts.isCallExpression(node) && last(node.expression) === 'require') return tell('*', '', '', node.arguments[0].text);
    if (!ts.isObjectLiteralExpression(node)) return tell('default', '?', '?');
    for (const one of node.properties) {
      if (one.name && (ts.isIdentifier(one.name) || ts.isStringLiteral(one.name))) tell(one.name.text, '?', '?');
      else if (ts.isSpreadAssignment(one) && ts.isCallExpression(one.expression) && last(one.expression.expression) === 'require') {
        tell('*', '', '', one.expression.arguments[0].text);
      }
    }
  };
  const visit = (node) => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.EqualsToken) {
      const { left } = node;
      if (isModule(left)) whole(node.right);
      else if ((ts.isPropertyAccessExpression(left) || ts.isElementAccessExpression(left)) && isExports(left.expression)) {
        if (key(left) && key(left) !== '__esModule') tell(key(left), '?', '?', '?');
      }
    }
    if (ts.isCallExpression(node) && last(node.expression) === 'defineProperty' && node.arguments[0] && isExports(node.arguments[0])) {
      const name = node.arguments[1];
      if (name && ts.isStringLiteral(name) && name.text !== '__esModule') tell(name.text, '?', '?', '?');
    }
    if (ts.isCallExpression(node) && /^__export(Star)?$/.test(last(node.expression))) {
      const [given] = node.arguments;
      if (given && ts.isCallExpression(given) && last(given.expression) === 'require') tell('*', '', '', given.arguments[0].text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function facts(file, modules, marks) {
  const literal = (node) => node && (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node));
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) modules.add(node.moduleSpecifier.text);
    if (ts.isExternalModuleReference(node) && literal(node.expression)) modules.add(node.expression.text);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) modules.add(node.argument.literal.text);
    if (ts.isCallExpression(node)) call(node);
    if (ts.isJsxOpeningLikeElement(node) || ts.isJsxFragment(node)) marks.add('jsx');
    if (ts.isTaggedTemplateExpression(node)) styled(node.tag);
    if (ts.isClassLike(node)) heritage(node);
    ts.forEachChild(node, visit);
  };
  const styled = (node) => {
    for (let one = node; ts.isPropertyAccessExpression(one) || ts.isCallExpression(one) || ts.isIdentifier(one); one = one.expression) {
      if (last(one) === 'styled') return marks.add('calls:styled');
      if (ts.isIdentifier(one)) return undefined;
    }
    return undefined;
  };
  const call = (node) => {
    const name = last(node.expression);
    const required = ts.isIdentifier(node.expression) && name === 'require';
    if ((required || node.expression.kind === K.ImportKeyword) && literal(node.arguments[0])) modules.add(node.arguments[0].text);
    if (['createContext', 'defineComponent', 'forwardRef', 'memo', 'lazy'].includes(name)) marks.add('calls:' + name);
    if (node.expression.getText(file) === 'customElements.define') marks.add('calls:customElements.define');
    styled(node.expression);
  };
  const heritage = (node) => {
    for (const clause of node.heritageClauses ?? []) {
      const base = clause.token === K.ExtendsKeyword && clause.types[0]?.expression;
      if (base && last(base)) marks.add('extends:' + last(base));
    }
    for (const one of ts.getDecorators(node) ?? []) {
      const named = ts.isCallExpression(one.expression) ? one.expression.expression : one.expression;
      marks.add('decorator:' + last(named));
    }
  };
  visit(file);
  for (const one of file.statements) {
    if (!ts.isExpressionStatement(one)) continue;
    let node = one.expression;
    while (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node) || ts.isTaggedTemplateExpression(node)) node = node.expression ?? node.tag;
    if (ts.isIdentifier(node) && node !== one.expression && ['describe', 'it', 'test'].includes(node.text)) marks.add('calls:' + node.text);
  }
}

function read(path) {
  const script = /\.[mc]?ts$/.test(path) ? ts.ScriptKind.TS : /\.tsx$/.test(path) ? ts.ScriptKind.TSX : ts.ScriptKind.JSX;
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, script);
  const exports = new Map();
  const tell = (name, kind = '', local = '', source = '') => {
    const row = [name, kind, local === name ? '' : local, source];
    exports.set(JSON.stringify(row), row);
  };
  const bindings = imported(file);
  const lists = file.statements.some((one) => ts.isExportDeclaration(one) || ts.isExportAssignment(one));
  const every = file.isDeclarationFile && ts.isExternalModule(file) && !lists;
  for (const one of file.statements) statement(one, tell, bindings, every);
  if (!exports.size && !/\.m[jt]s$/.test(path)) common(file, tell);
  const modules = new Set();
  const marks = new Set();
  facts(file, modules, marks);
  return [path, file.parseDiagnostics.length === 0, [...exports.values()], [...modules], [...marks].sort()];
}

for (const path of readFileSync(0, 'utf8').split('\n')) {
  if (path) process.stdout.write(JSON.stringify(read(path)) + '\n');
}
