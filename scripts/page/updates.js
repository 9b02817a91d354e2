// Keeps the page for visits without a network (scripts/page/sw.js), and tells when a newer version has been kept.

/** Registers the service worker; nothing happens where the browser has none for this page. */
export async function keepOffline(tell) {
  let serviceWorker = null;
  // Pages in a sandbox may not even ask.
  try { ({ serviceWorker } = navigator); } catch { /* See above. */ }
  if (!globalThis.isSecureContext || !serviceWorker) return;
  let isAsked = false;
  const offer = (worker) => tell(
    'A new version of Evalglass is ready. Files that you have opened have to be opened again after it.', 'Reload',
    () => { isAsked = true; worker.postMessage('take over'); },
  );
  // Other windows stay as they are: their version is kept as long as they are open.
  serviceWorker.addEventListener('controllerchange', () => { if (isAsked) location.reload(); });
  try {
    const registration = await serviceWorker.register('./sw.js', { updateViaCache: 'none' });
    // Without a controller this is the first visit, and the version that was kept is the one that is seen.
    if (registration.waiting && serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker.addEventListener('statechange', () => { if (worker.state === 'installed' && serviceWorker.controller) offer(worker); });
    });
  } catch { /* Forbidden or out of reach: the page works, with a network. */ }
}
