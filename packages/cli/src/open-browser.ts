import { spawn } from 'node:child_process'

const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser of this machine; false where there is none to open it. */
export function openBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const [program, ...options] = programs[process.platform] ?? []
  const screens = [env['DISPLAY'], env['WAYLAND_DISPLAY']]
  const hasScreen = process.platform !== 'linux' || screens.some(Boolean)
  if (program === undefined || !hasScreen) return false
  // An error is ignored, because the address was printed too, and the reader can open it by hand.
  spawn(program, [...options, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
  return true
}
