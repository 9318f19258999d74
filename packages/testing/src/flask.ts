import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { provideProgram } from '@malipo/stack/provide-program'

/**
 * Returns the folder that `python3` needs on its path to import Flask, or '' when Flask is installed for it. Unpacks
 * Debian's package into the clone. Throws when Flask cannot be provided.
 */
export async function provideFlask(onProgress: (line: string) => void): Promise<string> {
  if (spawnSync('python3', ['-c', 'import flask']).status === 0) return ''
  const program = await provideProgram(
    {
      debianPackage: 'python3-flask',
      homebrewPackage: 'flask',
      // A `flask` on the PATH may be that of another interpreter.
      names: [],
      binary: /^flask$/,
      isInstalledByRoot: false,
      help: 'The tests run a shop in Python and found no Flask. Install it for python3 (pip install flask, apt-get install python3-flask).',
    },
    onProgress,
  )
  return join(dirname(program), 'root/usr/lib/python3/dist-packages')
}
