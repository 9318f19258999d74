import { z } from 'zod'
import { cardPaymentSchema } from '../card-payment'
import { failureSchema } from '../envelopes'
import { resolvedHandleSchema } from '../handle'
import { merchantCheckoutSchema } from '../merchant-checkout'
import { readCheckoutSchema } from '../payer-checkout'
import { intentSchema, paymentSchema } from '../payment'
import { profileSchema } from '../profile'
import type { DataName } from './operation'

type JsonSchema = z.core.JSONSchema.BaseSchema

const objects: Readonly<Record<DataName | 'Error', z.ZodType>> = {
  MerchantCheckout: merchantCheckoutSchema,
  PayerCheckout: readCheckoutSchema,
  StartedPayment: paymentSchema,
  CardPayment: cardPaymentSchema,
  Intent: intentSchema,
  ResolvedHandle: resolvedHandleSchema,
  Profile: profileSchema,
  Error: failureSchema,
}

export function componentSchemas(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(objects).map(([name, schema]) => [name, schemaOf(schema, 'output')]),
  )
}

/** The schema of a request, as it is before its values are normalised. */
export function inputSchema(schema: z.ZodType): object {
  return schemaOf(schema, 'input')
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  // OpenAPI 3.1 says for the whole document which dialect its schemas are in, so no schema repeats it.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, override: dropFormatPattern })
  return rest
}

/** Drops the pattern that zod adds to a format: it is as long as a page, and says the same as the format. */
function dropFormatPattern({ jsonSchema }: { readonly jsonSchema: JsonSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
}

export function jsonContent(schema: object, examples: Readonly<Record<string, object>>) {
  return { 'application/json': { schema, examples } }
}
