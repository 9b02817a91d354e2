// What the host has to say, in the place `#hosted` of the start page: its gallery, or why a link cannot be opened; and
// notices that lie over the page. Everything is text.

const MAX_LISTED = 20;

/** An element with attributes and children; text is text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== ''));
  return made;
}

/** The address that opens `sources` in the file `page` beside the page, or in the page: relative where they lie below it. */
export function linkTo(sources, base, page = new URL(base).pathname.split('/').at(-1)) {
  const folder = new URL('.', base);
  const short = (url) => {
    if (url.href.startsWith(folder.href)) return url.href.slice(folder.href.length);
    return url.origin === folder.origin ? url.pathname + url.search : url.href;
  };
  const readable = (text) => encodeURIComponent(text).replace(/%2F/g, '/').replace(/%3A/g, ':');
  return `${page}?${sources.map((url) => `src=${readable(short(new URL(url, base)))}`).join('&')}`;
}

/** Groups of links, each with its date. */
export function galleryView({ gallery, at }, base) {
  const groups = gallery.groups.map(({ title, items }) => element('div', { class: 'hosted__group' },
    title && element('h3', { class: 'hosted__group-title' }, title),
    element('ul', { class: 'hosted__list' }, ...items.map((item) => element('li', { class: 'hosted__item' },
      element('a', { class: 'link', href: linkTo(item.src.map((path) => new URL(path, at)), base) }, item.title),
      item.date && element('time', { class: 'hosted__date', datetime: item.date }, item.date.slice(0, 16).replace('T', ' ')))))));
  return element('section', { class: 'hosted', 'aria-labelledby': 'hosted-title' },
    element('h2', { class: 'start__heading', id: 'hosted-title' }, gallery.title || 'Results on this host'), ...groups);
}

/** What is wrong with each address, and what can be done. */
export function refusedView({ refusals, others }, base) {
  const shown = refusals.slice(0, MAX_LISTED);
  const isStopped = refusals.every(({ kind }) => kind === 'stopped');
  const elsewhere = refusals.filter(({ kind }) => kind === 'elsewhere');
  const actions = [];
  const action = (href, text) => actions.push(element('a', { class: 'button', href }, text));
  if (others.length > 0) action(linkTo(others, base), others.length === 1 ? 'Open the other file' : `Open the other ${others.length} files`);
  if (isStopped) action(location.href.split('#')[0], 'Try again');
  if (elsewhere.length > 0) action(linkTo([...elsewhere.map(({ address }) => address), ...others], base, 'remote.html'), `Fetch from ${new URL(elsewhere[0].address).host}`);
  if (location.search) action(location.pathname, 'Go to the start page');
  return element('section', { class: 'hosted hosted--refused', role: 'alert', 'aria-labelledby': 'hosted-title' },
    element('h2', { class: 'start__heading', id: 'hosted-title' }, isStopped ? 'Fetching was stopped' : 'These results cannot be opened'),
    element('ul', { class: 'hosted__refusals' }, ...shown.map(({ address, message }) => element('li', {},
      element('code', { class: 'hosted__address' }, address), element('span', {}, message)))),
    refusals.length > shown.length ? element('p', {}, `And ${refusals.length - shown.length} more.`) : '',
    elsewhere.length > 0 ? element('p', { class: 'hosted__hint' }, 'The other host learns your network address and which file you ask for, and nothing else.') : '',
    actions.length > 0 ? element('p', { class: 'hosted__actions' }, ...actions) : '');
}

/** What is said in the place of the results of a sealed report, when they cannot be unpacked. */
export function damagedView() {
  return element('section', { class: 'hosted hosted--refused', role: 'alert', 'aria-labelledby': 'hosted-title' },
    element('h2', { class: 'start__heading', id: 'hosted-title' }, 'This sealed report cannot be opened'),
    element('p', {}, 'The results in this file cannot be unpacked: it is cut off or damaged. Ask for it once more.'));
}

/** A sentence that stays until it is answered; `act` is what the button called `name` does. */
export function notice(sentence, name, act) {
  document.getElementById('notice')?.remove();
  const close = element('button', { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss' }, '×');
  const said = element('div', { id: 'notice', class: 'hosted-notice', role: 'status' }, element('span', {}, sentence));
  if (act) {
    const button = element('button', { type: 'button', class: 'toast__undo' }, name);
    button.addEventListener('click', act);
    said.append(button);
  }
  close.addEventListener('click', () => said.remove());
  said.append(close);
  document.body.append(said);
}
