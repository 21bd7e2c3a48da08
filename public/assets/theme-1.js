// Runs before the first paint, as its own file because the page's policy allows no inline script.
// Kept by browsers for a year: give it a new number whenever it changes. For the head of index.html; src/shell/settings.ts owns the same key afterwards.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('toolscope:theme')
  } catch {
    // Storage may be closed to us; the system's preference is then good enough.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
