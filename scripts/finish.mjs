// Trunk's post_build hook: what Trunk has put together becomes the page that is published. One after another, because each
// step works on what the one before has left, and Trunk runs its hooks all at once. Also by hand: node scripts/finish.mjs DIR
await import('./samples.mjs');
await import('./page.mjs');
await import('./single.mjs');
await import('./offline.mjs');
