import { provideProgram } from '@malipo/stack/provide-program'

/**
 * Returns the path of PHP 8, for the snippets of the documentation. Unpacks Debian's package into the clone where PHP
 * is not installed. Throws when PHP cannot be provided.
 */
export function providePhp(onProgress: (line: string) => void): Promise<string> {
  return provideProgram(
    {
      debianPackage: 'php-cli',
      homebrewPackage: 'php',
      names: ['php'],
      binary: /^php\d/,
      isInstalledByRoot: false,
      help: 'The tests run snippets in PHP and found none. Install PHP 8 (apt-get install php-cli, brew install php).',
    },
    onProgress,
  )
}
