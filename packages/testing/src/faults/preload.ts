import { resolve } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

const preload = resolve(repositoryDir, 'packages/testing/bin/fault-preload.cjs')

/** The environment of a stack whose processes read the faults of their clocks and connections in `dir`. */
export function faultEnvironment(dir: string): Readonly<Record<string, string>> {
  return { FAULTS_DIR: dir, NODE_OPTIONS: `--require=${preload}` }
}
