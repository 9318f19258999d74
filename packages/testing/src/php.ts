import { provideProgram } from '@malipo/stack/provide-program'

/**
 * The path of PHP 8, for the snippets of the documentation. Debian's package is unpacked into the clone. Throws without
 * one.
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
