import { cpSync, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isExecutable, provideProgram, type WantedProgram } from '../provide-program'

const prometheus: WantedProgram = {
  debianPackage: 'prometheus',
  homebrewPackage: 'prometheus',
  names: ['prometheus'],
  binary: /^prometheus$/,
  // Debian's package would also start a server.
  isInstalledByRoot: false,
  help:
    'The alert rules need Prometheus with promtool, and found neither. Install it (apt-get install prometheus, ' +
    'dnf install golang-github-prometheus, brew install prometheus).',
}

/** Prometheus, which evaluates the alert rules, and promtool, which tests them. */
export interface Prometheus {
  readonly server: string
  readonly promtool: string
}

const alertmanager: WantedProgram = {
  debianPackage: 'prometheus-alertmanager',
  homebrewPackage: 'alertmanager',
  names: ['prometheus-alertmanager', 'alertmanager'],
  binary: /^prometheus-alertmanager$/,
  isInstalledByRoot: false,
  help:
    'Alerts need Alertmanager, and found none. Install it (apt-get install prometheus-alertmanager, ' +
    'brew install alertmanager).',
}

/** Debian's Alertmanager reads its texts from this folder, wherever it runs from itself. */
const textsDir = '/usr/share/prometheus/alertmanager'

/** Alertmanager, which sends alerts on, and amtool, which checks its settings. */
export async function provideAlertmanager(
  onProgress: (line: string) => void,
): Promise<{ readonly server: string; readonly amtool: string }> {
  const server = await provideProgram(alertmanager, onProgress)
  provideTexts(server)
  return { server, amtool: besideOf(server, 'amtool', alertmanager) }
}

function provideTexts(server: string): void {
  const unpacked = join(dirname(server), 'root', textsDir)
  if (!existsSync(unpacked) || existsSync(textsDir)) return
  if (process.getuid?.() !== 0) throw new Error(alertmanager.help)
  cpSync(unpacked, textsDir, { recursive: true })
}

/** Returns the paths of Prometheus and promtool, which come in one package. */
export async function providePrometheus(onProgress: (line: string) => void): Promise<Prometheus> {
  const server = await provideProgram(prometheus, onProgress)
  return { server, promtool: besideOf(server, 'promtool', prometheus) }
}

/** Another program of the same package. */
function besideOf(server: string, name: string, { help }: WantedProgram): string {
  const found = [name, join('root/usr/bin', name)]
    .map((path) => join(dirname(server), path))
    .find(isExecutable)
  if (found === undefined) throw new Error(help)
  return found
}
