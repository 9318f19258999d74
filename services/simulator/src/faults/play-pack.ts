import { z } from 'zod'
import { packRules, packs } from './rules/packs'
import { rulesMax } from './rules/rules'
import { controlRoute, refusal } from '../control-api/control-route'
import { facetsShape, shownRule } from '../control-api/shapes'
import { showRule } from '../control-api/show'

export const playPack = controlRoute({
  method: 'post',
  path: '/packs/{name}',
  summary: `Begins a story, for all phones or those that \`when\` names, in place of the one before: ${Object.keys(packs).join(', ')}; \`none\` ends it`,
  params: z.strictObject({ name: z.string().max(40) }),
  body: z.strictObject({ when: facetsShape.prefault({}) }),
  success: { status: 200, shape: z.array(shownRule) },
  answer(host, { params, body }) {
    const { world } = host.current()
    const pack = params.name === 'none' ? { about: '', see: '', rules: [] } : findPack(params.name)
    if (pack === undefined) return refusal(404, 'pack_not_found')
    const wanted = packRules(params.name, pack, body.when)
    const others = world.rules.all().filter((rule) => rule.pack === undefined)
    if (others.length + wanted.length > rulesMax) return refusal(409, 'rules_full')
    world.rules.removePacks()
    const rules = wanted.map((rule) => world.rules.add(rule, world.time.now()))
    world.events.append('rule_added', { pack: params.name, rules: rules.length })
    return { status: 200, body: rules.flatMap((rule) => (rule ? [showRule(rule)] : [])) }
  },
})

function findPack(name: string) {
  return Object.hasOwn(packs, name) ? packs[name] : undefined
}
