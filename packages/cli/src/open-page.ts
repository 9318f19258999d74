import type { Command, Tools } from './command'
import { exitCodes } from './exit-codes'
import { findHub } from './find-hub'
import { hostOf, simulatorOf } from './read-settings'

const pages = {
  docs: ({ settings }: Tools) => Promise.resolve(`${hostOf(settings)}/docs`),
  hub: ({ settings, signal }: Tools) => findHub(hostOf(settings), signal),
  phones: ({ settings }: Tools) => Promise.resolve(`${simulatorOf(settings)}/`),
} as const

export const openPage: Command = {
  words: ['open'],
  argument: { name: 'PAGE', oneOf: Object.keys(pages) },
  summary: 'Open the documentation, the hub, or the phones of a test stack',
  about: 'Prints the address, and opens it where this machine has a browser and a screen.',
  async run(given, tools) {
    const url = await pages[given['PAGE'] as keyof typeof pages](tools)
    tools.output.result({ url }, url)
    tools.openBrowser(url)
    return exitCodes.done
  },
}
