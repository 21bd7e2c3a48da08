/** Runs the browser with the fonts of one package, because the tests must not depend on the machine's own fonts. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from './project.mjs'

const debianFonts = '/usr/share/fonts/truetype'

/** From Debian's packages fonts-noto-core, fonts-dejavu-core and fonts-liberation2 (or fonts-liberation). */
const families = {
  noto: { family: 'Noto Sans', folders: ['noto'] },
  dejavu: { family: 'DejaVu Sans', folders: ['dejavu'] },
  liberation: { family: 'Liberation Sans', folders: ['liberation', 'liberation2'] },
  // Chromium ends if there is no font at all. This one contains only icons, so each letter is an empty box.
  none: {
    family: 'codicon',
    folders: [project('node_modules/monaco-editor/esm/vs/base/browser/ui/codicons/codicon')],
  },
}

/** Returns the environment of a browser that only has these fonts. Throws if they are not installed. */
export function fontEnvironment(name, root = debianFonts) {
  if (!Object.hasOwn(families, name)) throw new Error(`--fonts takes ${Object.keys(families).join(', ')}`)
  const { family, folders } = families[name]
  const found = folders.map(folder => (name === 'none' ? folder : join(root, folder))).filter(existsSync)
  if (found.length === 0) throw new Error(`the fonts "${name}" are not in ${root}: ${folders.join(', ')}`)
  const folder = project(`node_modules/.cache/fonts/${name}`)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'fonts.conf')
  writeFileSync(file, configuration(found, family, folder))
  return { FONTCONFIG_FILE: file }
}

/** Returns the environment that a browser needs on a machine without fonts; empty on any other. */
export function environmentWithoutFonts() {
  if (process.platform !== 'linux') return {}
  const { status, stdout } = spawnSync('fc-list', { encoding: 'utf8' })
  const hasFonts = status === 0 ? stdout.trim() !== '' : existsSync('/usr/share/fonts')
  return hasFonts ? {} : fontEnvironment('none')
}

function configuration(folders, family, cache) {
  const substitutes = ['system-ui', 'sans-serif'].map(
    generic => `<match>
  <test name="family"><string>${generic}</string></test>
  <edit name="family" mode="assign" binding="strong"><string>${family}</string></edit>
</match>`,
  )
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map(folder => `<dir>${folder}</dir>`).join('\n')}
<cachedir>${cache}</cachedir>
${substitutes.join('\n')}
<!-- Chromium asks for its own default without naming a family. -->
<match><edit name="family" mode="append_last"><string>${family}</string></edit></match>
</fontconfig>
`
}
