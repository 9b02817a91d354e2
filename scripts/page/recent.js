// "Recent" on the start page: what was dropped or picked here before, to be opened again. Only where the browser gives out
// handles that can be kept; elsewhere there is nothing.
import { element } from './hosted.js';
import { forgetRecent, givesHandles, memoryState, recentEntries } from './memory.js';

const KINDS = { file: 'File', directory: 'Folder' };

/** `2026-01-31 14:03`, by the clock of this machine. */
function timeOf(millis) {
  const date = new Date(millis - new Date(millis).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

const titleOf = ({ name, handles }) => (handles.length > 1 ? `${name} and ${handles.length - 1} more` : name);

/** Why `handles` cannot be read; null when they can. Must begin within a click: the browser may ask its reader. */
async function refusal(handles) {
  const answers = await Promise.all(handles.map((handle) => handle.requestPermission({ mode: 'read' }).catch(() => 'denied')));
  const denied = handles.find((_, at) => answers[at] !== 'granted');
  if (denied) return `Not opened: the browser was not allowed to read ${denied.name}.`;
  for (const handle of handles) {
    try {
      if (handle.kind === 'file') await handle.getFile(); else await handle.values().next();
    } catch (error) {
      return error.name === 'NotFoundError' ? `Not opened: ${handle.name} is not there any more, or goes by another name now.` : `Not opened: ${handle.name} cannot be read (${error.message}).`;
    }
  }
  return null;
}

function button(words, name, act, look = 'button button--quiet') {
  const made = element('button', { type: 'button', class: look, ...(name && { 'aria-label': name }) }, words);
  made.addEventListener('click', act);
  return made;
}

/** The list's functions; `reopen` takes handles and opens them. */
export function recentList(reopen) {
  let nShown = 0;

  function item(entry, at) {
    const why = element('p', { class: 'recent__why', role: 'alert' });
    const open = async () => {
      why.textContent = '';
      const reason = await refusal(entry.handles);
      if (reason) why.textContent = `${reason} It stays in the list.`; else reopen(entry.handles);
    };
    const remove = async () => {
      await forgetRecent(entry);
      await show();
      const next = document.querySelectorAll('#recent [data-remove]')[at] ?? document.querySelector('#recent h2');
      next?.focus();
    };
    const removing = button('Remove', `Remove ${titleOf(entry)} from the list`, remove);
    removing.dataset.remove = '';
    return element('li', { class: 'recent__item' },
      element('span', { class: 'recent__name' }, titleOf(entry)),
      element('span', { class: 'recent__kind' }, entry.handles.length > 1 ? 'Several' : KINDS[entry.kind]),
      element('time', { class: 'recent__time', datetime: new Date(entry.opened).toISOString() }, timeOf(entry.opened)),
      element('span', { class: 'recent__actions' }, button('Open', `Open ${titleOf(entry)} again`, open, 'button'), removing), why);
  }

  const picking = (pick) => async () => {
    // Closing the picker throws.
    const handles = await pick().catch(() => []);
    if (handles.length > 0) reopen(handles);
  };

  function view(entries) {
    const head = element('div', { class: 'recent__head' }, element('h2', { class: 'start__heading', id: 'recent-title', tabindex: '-1' }, 'Recent'));
    if (globalThis.showOpenFilePicker) {
      // The two inputs "Open files" and "Open folder" give out files, but no handles.
      head.append(button('Pick files', '', picking(() => showOpenFilePicker({ multiple: true }))),
        button('Pick a folder', '', picking(async () => [await showDirectoryPicker()])));
    }
    if (entries.length === 0) return [head, element('p', { class: 'recent__hint' }, 'What is dropped, or picked here, is listed for the next visit, and can be watched. Nothing is copied.')];
    const forgetAll = button('Forget all', '', async () => { await forgetRecent(); await show(); document.getElementById('recent-title')?.focus(); });
    head.append(forgetAll);
    return [head, element('ul', { class: 'recent__list' }, ...entries.map(item))];
  }

  /** Draws the list anew, where the start page has its place. */
  async function show() {
    const number = nShown += 1;
    const isOn = givesHandles() && memoryState() === 'on';
    const entries = await recentEntries();
    if (number !== nShown) return;
    const section = isOn && element('section', { class: 'recent__section', 'aria-labelledby': 'recent-title' }, ...view(entries));
    document.getElementById('recent')?.replaceChildren(...(section ? [section] : []));
  }

  return show;
}
