import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const packages = join(__dirname, '../..')
const templates = join(packages, 'create-malipo-app/templates')
const files = [
  ...readdirSync(join(packages, 'docs/pages')).map((name) => join('docs/pages', name)),
  'sdk-python/README.md',
  'sdk-php/README.md',
  'sdk-php/composer.json',
  ...readdirSync(templates).map((name) => join('create-malipo-app/templates', name, 'README.md')),
  'create-malipo-app/templates/flask/requirements.txt',
  'create-malipo-app/templates/php/composer.json',
]
/** Lines that install the name `malipo` from PyPI or Packagist, where it is another company's or not ours yet. */
const foreign = /pip install malipo|^malipo(?! = )|composer require malipo\/|"malipo\/malipo"/m

test.each(files)('%s installs no package of PyPI or Packagist that is not ours', (file) => {
  expect(readFileSync(join(packages, file), 'utf8')).not.toMatch(foreign)
})
