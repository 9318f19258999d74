-- Keeps what came to the address of a refund, word for word; NULL when nobody knows that address.
CREATE OR REPLACE FUNCTION store_refund_message(
    p_message_id TEXT, p_refund_id TEXT, p_callback_secret TEXT, p_kind TEXT, p_body BYTEA,
    p_source_address TEXT, p_source_known BOOLEAN
)
RETURNS TEXT LANGUAGE sql AS $$
    INSERT INTO provider_messages AS kept (
        id, refund_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
    )
    SELECT p_message_id, r.id, r.provider, p_kind, p_body,
        sha256(convert_to(concat_ws(' ', r.id, p_kind, p_source_known::text), 'UTF8') || p_body),
        p_source_address, p_source_known, clock_timestamp(), clock_timestamp() + interval '1 second'
    FROM refunds r
    WHERE r.id = p_refund_id
        AND sha256(convert_to(r.callback_secret, 'UTF8')) = sha256(convert_to(p_callback_secret, 'UTF8'))
    ON CONFLICT (digest) WHERE intent_id IS NULL DO UPDATE SET deliveries = kept.deliveries + 1
    RETURNING kept.id
$$;
