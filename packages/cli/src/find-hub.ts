import { call, jsonOf } from './call'
import { CommandError, exitCodes } from './exit-codes'
import { webUrl } from './read-settings'

/** What the host's OpenAPI document says of the host itself. */
export interface HostDocument {
  /** Such as `Malipo, payments in KES`. */
  readonly title: string
  readonly hubUrl: string
}

/** Undefined when the text is no document of a payments host. */
export function readHostDocument(text: string): HostDocument | undefined {
  const document = jsonOf(text) as Partial<OpenApi> | null | undefined
  const title = document?.info?.title ?? ''
  const servers = Object.values(document?.paths ?? {}).flatMap(({ servers: own = [] }) => own)
  const auth = webUrl(servers[0]?.url ?? '')
  if (!title.startsWith('Malipo') || auth === undefined) return undefined
  return { title, hubUrl: new URL('/hub', auth).href }
}

interface OpenApi {
  readonly info: { readonly title: string }
  readonly paths: Readonly<
    Record<string, { readonly servers?: readonly { readonly url: string }[] }>
  >
}

export const documentPath = '/docs/openapi.json'

/** Asks a payments host where its hub is. Throws CommandError and MalipoConnectionError. */
export async function findHub(host: string, signal: AbortSignal): Promise<string> {
  const { text, status } = await call({ url: `${host}${documentPath}`, signal })
  const document = readHostDocument(text)
  if (document !== undefined) return document.hubUrl
  throw new CommandError(
    `${host}${documentPath} answered ${String(status)} and not as a payments host of Malipo. Is MALIPO_URL right?`,
    exitCodes.refused,
  )
}
