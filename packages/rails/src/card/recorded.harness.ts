import { recordings } from '../recorded.harness'

export const { names, recorded } = recordings('card')
