// "On this device" in the settings: everything that is kept, each with a button that removes it, and the switch.
import { element } from './hosted.js';
import { forgetRecent, forgetResults, forgetSettings, givesHandles, keepsPage, keptResults, keptSettings, memoryState, recentEntries, setMemory } from './memory.js';

const SETTINGS = {
  theme: 'colours', look: 'numbers and density', 'case-columns': 'columns of the cases', 'case-widths': 'widths of the columns', 'case-facets': 'whether facets are shown', readers: 'number of readers',
};
const REASONS = {
  forbidden: 'This browser gives the page no storage (as in some private windows, or for pages from disk), so nothing is kept.',
  off: 'Nothing is kept but this choice.',
  on: 'Of your own files nothing but a reference is kept, never what is in them.',
};

/** The list's function; `changed` is called when something was forgotten. */
export function keptList(changed) {
  let nShown = 0;

  function row(name, words, id, forget) {
    const made = element('li', { class: 'memory__item' }, element('span', {}, name), element('span', { class: 'memory__what' }, words));
    if (forget) {
      const remove = element('button', { type: 'button', class: 'button button--quiet', id, 'aria-label': `Remove ${name.toLowerCase()}` }, 'Remove');
      remove.addEventListener('click', async () => { await forget(); await changed(); await show(); });
      made.append(remove);
    }
    return made;
  }

  /** Draws the list anew; the focus stays where it was, or goes to the switch. */
  async function show() {
    const number = nShown += 1;
    const [entries, results, hasPage, settings, state] = [await recentEntries(), await keptResults(), await keepsPage(), keptSettings(), memoryState()];
    const place = document.getElementById('memory');
    if (number !== nShown || !place) return;
    const box = element('input', { type: 'checkbox', role: 'switch', id: 'memory-switch', 'aria-describedby': 'memory-reason' });
    [box.checked, box.disabled] = [state === 'on', state === 'forbidden'];
    box.addEventListener('change', async () => { await setMemory(box.checked); await changed(); await show(); });
    const size = results.nBytes < 1e6 ? `${Math.ceil(results.nBytes / 1e3)} KB` : `${(results.nBytes / 1e6).toFixed(1)} MB`;
    const rows = [
      givesHandles() && row('Recent files', entries.length > 0 ? `${entries.length} ${entries.length === 1 ? 'reference' : 'references'}` : 'none', 'memory-recent', entries.length > 0 && (() => forgetRecent())),
      row('Settings', settings.map((name) => SETTINGS[name] ?? name).join(', ') || 'none', 'memory-settings', settings.length > 0 && forgetSettings),
      row('Fetched files', results.nFiles > 0 ? `${results.nFiles} ${results.nFiles === 1 ? 'copy' : 'copies'}, ${size}` : 'none', 'memory-results', results.nFiles > 0 && forgetResults),
      row('The page itself', hasPage ? 'kept, for visits without a network' : 'not kept', '', null),
    ];
    const focused = place.contains(document.activeElement) ? document.activeElement.id : null;
    place.replaceChildren(
      element('h3', { class: 'memory__title' }, 'On this device'),
      element('label', { class: 'memory__switch' }, box, 'Remember recent files and settings on this device'),
      element('p', { class: 'field__hint', id: 'memory-reason' }, REASONS[state]),
      element('ul', { class: 'memory__list' }, ...rows.filter(Boolean)),
    );
    if (focused !== null) (document.getElementById(focused) ?? document.getElementById('memory-switch')).focus();
  }

  return show;
}
