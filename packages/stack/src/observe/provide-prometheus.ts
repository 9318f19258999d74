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

/** The paths of both, which come in one package. */
export async function providePrometheus(say: (line: string) => void): Promise<Prometheus> {
  const server = await provideProgram(prometheus, say)
  const beside = dirname(server)
  const promtool = ['promtool', 'root/usr/bin/promtool']
    .map((name) => join(beside, name))
    .find(isExecutable)
  if (promtool === undefined) throw new Error(prometheus.help)
  return { server, promtool }
}
