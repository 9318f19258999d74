import { z } from 'zod'
import { magicNumbers, magicPrefixes } from '../faults/rules/magic'
import { packs } from '../faults/rules/packs'
import { profileRules, profiles } from '../providers/rules/profile'
import { controlRoute } from './control-route'
import { shownClock } from './shapes'
import { isoTime, showClock } from './show'

const businessShape = z.object({ short_code: z.string(), name: z.string() })

export const readMeta = controlRoute({
  method: 'get',
  path: '/meta',
  summary: 'What this simulator is, its seed, and how much it holds',
  success: {
    status: 200,
    shape: z.object({
      simulator: z.literal(true),
      session: z.string(),
      sessions: z.array(z.string()),
      seed: z.string(),
      started_at: z.string(),
      rails: z.array(
        z.object({
          name: z.string(),
          businesses: z.array(businessShape),
          paths: z.array(z.string()),
          errors: z.array(z.string()),
        }),
      ),
      profile: z.object({
        name: z.enum(profiles),
        rules: z.array(
          z.object({
            provider: z.string(),
            about: z.string(),
            strict: z.string(),
            as_observed: z.string(),
            source: z.string(),
          }),
        ),
      }),
      packs: z.array(z.object({ name: z.string(), about: z.string(), see: z.string() })),
      magic_numbers: z.array(z.object({ digits: z.string(), about: z.string() })),
      magic_prefixes: z.array(z.string()),
      phones: z.number(),
      rules: z.number(),
      book: z.object({ rows: z.number() }),
      last_event: z.number(),
      clock: shownClock,
    }),
  },
  answer(host) {
    const simulation = host.current()
    const { world } = simulation
    return {
      status: 200,
      body: {
        simulator: true,
        session: world.session.name,
        sessions: host.names(),
        seed: world.seed,
        started_at: isoTime(simulation.startedAtMs),
        rails: simulation.rails.map((rail) => ({
          name: rail.name,
          businesses: rail.businesses.map(({ shortCode, name }) => ({
            short_code: shortCode,
            name,
          })),
          paths: rail.operations.map(({ method, path }) => `${method} ${path}`),
          errors: rail.errorNames,
        })),
        profile: {
          name: simulation.profile,
          rules: profileRules.map(({ asObserved, ...rule }) => ({
            ...rule,
            as_observed: asObserved,
          })),
        },
        packs: Object.entries(packs).map(([name, { about, see }]) => ({ name, about, see })),
        magic_numbers: magicNumbers.map(({ digits, about }) => ({ digits, about })),
        magic_prefixes: [...magicPrefixes],
        phones: world.phones.size(),
        rules: world.rules.all().length,
        book: { rows: world.book.size() },
        last_event: world.events.lastId(),
        clock: showClock(simulation),
      },
    }
  },
})
