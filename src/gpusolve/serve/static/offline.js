// The service worker: it keeps the pages and scripts in SHELL, so that the boards open also while the server does not run.
// Whatever the server sends is newer. Answers are not kept: only the server computes them.

const NAME = "gpusolve";
const KEPT = ["/fields/", "/names.json"];

addEventListener("install", (event) => event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname } = new URL(url);
  const ours = SHELL.includes(pathname) || KEPT.some((start) => pathname.startsWith(start));
  if (method === "GET" && origin === location.origin && ours) event.respondWith(newest(event.request, pathname));
});

/** Return what the server sends, or else what was kept. */
async function newest(request, pathname) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(pathname, response.clone());
    return response;
  } catch (error) {
    return (await cache.match(pathname)) ?? Promise.reject(error);
  }
}
