import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryDir } from '@malipo/stack/migrate'
import { plants } from './plants'

test.each(Object.entries(plants))(
  'the planted fault %s finds the text that it replaces in the built code',
  (_name, { file, from }) => {
    expect(readFileSync(join(repositoryDir, file), 'utf8').split(from).length).toBeGreaterThan(1)
  },
)
