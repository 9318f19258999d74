// Prints the path of a Chromium that runs. Where there is none, root on Debian gets the package; any other user is told
// what to do. CHROMIUM_PATH names another one.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const places = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const advice = `The browser tests need Chromium, and found none. Install it:
  Debian:  sudo apt-get update && sudo apt-get install --yes chromium
  macOS:   brew install --cask chromium
or set CHROMIUM_PATH to the program of yours.
`

function find() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => names.map((name) => join(dir, name)))
  return [process.env.CHROMIUM_PATH ?? '', ...onPath, ...places].find(runs)
}

/** Ubuntu's package is a stub that only prints where the browser went, so a file that exists may still not run. */
function runs(path) {
  return isExecutable(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

function install() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const lockWait = ['-o', 'DPkg::Lock::Timeout=240']
  const aptGet = (...args) =>
    // `flock` makes the installs of several processes wait for one another, as in
    // packages/stack/src/provide-program.ts.
    spawnSync(
      'flock',
      ['--wait', '240', '/var/lib/apt/malipo.lock', 'apt-get', ...lockWait, ...args],
      {
        env,
        stdio: ['ignore', 2, 2],
      },
    ).status === 0
  process.stderr.write('Installing the Debian package chromium …\n')
  // A failed update is ignored, because the package lists that are here may still do.
  aptGet('update')
  return aptGet('install', '--yes', '--no-install-recommends', 'chromium')
}

const path = find() ?? (process.getuid?.() === 0 && install() ? find() : undefined)
process.stdout.write(path === undefined ? '' : `${path}\n`)
if (path === undefined) {
  process.stderr.write(advice)
  process.exitCode = 1
}
