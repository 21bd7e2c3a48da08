import { expect, test } from 'vitest'
import { cacheDirectory, dataDirectory } from './location.ts'

// On Windows, `join` writes backslashes; here the parts are compared.
test.each<[NodeJS.Platform, NodeJS.ProcessEnv, string, string]>([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.local/share/toolscope', '/home/ada/.cache/toolscope'],
  ['linux', { HOME: '/h', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/c' }, '/d/toolscope', '/c/toolscope'],
  [
    'darwin',
    { HOME: '/Users/ada', XDG_DATA_HOME: '/d' },
    '/Users/ada/Library/Application Support/toolscope',
    '/Users/ada/Library/Caches/toolscope',
  ],
  ['win32', { LOCALAPPDATA: 'D:/Local', HOME: 'C:/ada' }, 'D:/Local/toolscope', 'D:/Local/toolscope/cache'],
  ['win32', { HOME: 'C:/ada' }, 'C:/ada/AppData/Local/toolscope', 'C:/ada/AppData/Local/toolscope/cache'],
])(
  'dataDirectory and cacheDirectory: on %s with %o, they are %s and %s',
  (platform, environment, data, cache) => {
    const toSlashes = (path: string) => path.replaceAll('\\', '/')
    expect(toSlashes(dataDirectory(environment, platform))).toBe(data)
    expect(toSlashes(cacheDirectory(environment, platform))).toBe(cache)
    expect(dataDirectory({ ...environment, TOOLSCOPE_DATA_DIR: '/own' }, platform)).toBe('/own')
  },
)
