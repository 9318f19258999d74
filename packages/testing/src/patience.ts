import { resolve } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'

/** The environment of a stack whose processes wait ten times as long for an answer, so that a busy machine fails no test. */
export const patience: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--require=${resolve(repositoryDir, 'packages/testing/bin/patient-preload.cjs')}`,
}
