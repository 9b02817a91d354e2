// What assistive tools are told of the page: the browser's accessibility tree, and what is wrong with one.

/** Roles that somebody can do something with. */
const CONTROLS = new Set([
  'button', 'link', 'textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'slider', 'spinbutton', 'switch', 'tab', 'option',
  'menuitem', 'menuitemcheckbox', 'menuitemradio', 'treeitem', 'DisclosureTriangle', 'PopUpButton', 'ComboBoxSelect',
]);

/** Roles that must say what they are: what they hold does not. */
const NAMED = new Set(['image', 'img', 'dialog', 'tree', 'grid', 'treegrid', 'listbox', 'menu', 'article', 'region', 'complementary', 'navigation', 'table']);

const LANDMARKS = new Set(['banner', 'main', 'contentinfo', 'navigation', 'complementary', 'region', 'search', 'form']);

/** Landmarks of which a page has one. */
const ONCE = ['banner', 'main', 'contentinfo'];

const words = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

/**
 * The nodes that assistive tools are told of, in the order of the document: `{ role, name, description, depth, within }` and their
 * properties (`level`, `expanded`, `selected`, `checked`, `pressed`, `invalid`, …). `within` are the roles around a node.
 */
export async function treeOf(page) {
  const session = await page.context().newCDPSession(page);
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const found = [];
    const walk = (node, within) => {
      const role = node.role?.value ?? '';
      const isTold = !node.ignored && !['none', 'generic', 'InlineTextBox', 'StaticText', 'RootWebArea'].includes(role);
      if (isTold) {
        const properties = (node.properties ?? []).map(({ name, value }) => [name, value.value]);
        found.push({ ...Object.fromEntries(properties), role, name: words(node.name?.value), description: words(node.description?.value), within });
      }
      const inner = isTold ? [...within, role] : within;
      for (const id of node.childIds ?? []) if (byId.has(id)) walk(byId.get(id), inner);
    };
    for (const root of nodes.filter((node) => !node.parentId)) walk(root, []);
    return found;
  } finally {
    await session.detach();
  }
}

const say = ({ role, name }) => `${role} "${name.slice(0, 60)}"`;

/** What is wrong with the tree of a whole page, one line each; none is what is wanted. */
export function faults(nodes) {
  const found = [];
  const of = (...roles) => nodes.filter((node) => roles.includes(node.role));
  for (const node of nodes) {
    const isNamed = node.name !== '';
    if ((CONTROLS.has(node.role) || NAMED.has(node.role)) && !isNamed) found.push(`no name: ${node.role} in ${node.within.slice(-3).join(' > ')}`);
    if (isNamed && node.description === node.name) found.push(`the description repeats the name: ${say(node)}`);
    if (node.role === 'treeitem' && !(node.level >= 1)) found.push(`no level: ${say(node)}`);
    if (node.role === 'treeitem' && typeof node.selected !== 'boolean') found.push(`not said whether selected: ${say(node)}`);
    if (node.role === 'option' && typeof node.selected !== 'boolean') found.push(`not said whether selected: ${say(node)}`);
    if (['checkbox', 'switch', 'menuitemcheckbox'].includes(node.role) && node.checked === undefined) found.push(`not said whether checked: ${say(node)}`);
    if (['menu', 'listbox', 'tree', 'true'].includes(node.hasPopup) && node.role !== 'combobox' && typeof node.expanded !== 'boolean') found.push(`not said whether expanded: ${say(node)}`);
    if (node.role === 'slider' && !(Number.isFinite(node.valuemin) && Number.isFinite(node.valuemax))) found.push(`no ends: ${say(node)}`);
  }
  const dialog = of('dialog', 'alertdialog').some((node) => node.modal);
  found.push(...headings(of('heading'), dialog));
  // A dialog is all there is while it is open.
  if (!dialog) found.push(...landmarks(nodes));
  const articles = of('article').map((node) => node.name);
  for (const name of new Set(articles.filter((own, at) => articles.indexOf(own) !== at))) found.push(`several articles are called "${name}"`);
  return [...new Set(found)];
}

/** One heading of the first level, and none that skips a level; in a dialog its title comes first. */
function headings(all, isDialog) {
  const found = [];
  const first = all.filter((node) => node.level === 1);
  if (!isDialog && first.length !== 1) found.push(`${first.length} headings of level 1: ${first.map(say).join(', ')}`);
  let before = isDialog ? 1 : 0;
  for (const node of all) {
    if (node.name === '') found.push(`a heading of level ${node.level} without words`);
    if (node.level > before + 1) found.push(`level ${node.level} after ${before}: ${say(node)}`);
    before = node.level;
  }
  return found;
}

function landmarks(nodes) {
  const found = [];
  const of = (role) => nodes.filter((node) => node.role === role);
  for (const role of ONCE) if (of(role).length !== 1) found.push(`${of(role).length} times ${role}`);
  for (const role of ['navigation', 'complementary', 'region']) {
    const names = of(role).map((node) => node.name);
    for (const name of new Set(names.filter((own, at) => names.indexOf(own) !== at))) found.push(`several ${role} are called "${name}"`);
  }
  // Whatever can be used lies in one of them.
  const outside = nodes.filter((node) => CONTROLS.has(node.role) && !node.within.some((role) => LANDMARKS.has(role) || role === 'dialog'));
  found.push(...outside.filter((node) => !/^Skip to/.test(node.name)).map((node) => `in no landmark: ${say(node)}`));
  return found;
}
