// What the measuring programs share: their arguments, and words for numbers.
export const option = (name, or) => { const at = process.argv.indexOf(`--${name}`); return at < 0 ? or : process.argv[at + 1]; };
export const say = (text) => console.error(`bench: ${text}`);
export const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
export const round = (n, digits = 1) => (n == null ? null : Math.round(n * 10 ** digits) / 10 ** digits);
export const seconds = (ms) => (ms == null ? '–' : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`);
export const megabytes = (bytes) => (bytes == null ? '–' : `${(bytes / 1e6).toFixed(1)} MB`);
export const times = (of, by) => (of == null || !by ? '–' : `${(of / by).toFixed(2)} ×`);
