import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(__dirname, '../..')
const files = [
  ...readdirSync(join(packages, 'docs/pages')).map((name) => `docs/pages/${name}`),
  'sdk/README.md',
  'cli/README.md',
  'create-malipo-app/README.md',
  'create-malipo-app/templates/express/README.md',
  'create-malipo-app/templates/nextjs/README.md',
]
/** A command that fetches a package whose name on npm is not ours yet: others could publish under that name. */
const fetched = /npx @malipo\/|npm install @malipo\/|npm create malipo-app/

test.each(files)(
  '%s says that our packages are not on npm yet where it shows a command that fetches one',
  (file) => {
    const text = readFileSync(join(packages, file), 'utf8')
    expect(!fetched.test(text) || text.includes('not on npm yet')).toBe(true)
  },
)
