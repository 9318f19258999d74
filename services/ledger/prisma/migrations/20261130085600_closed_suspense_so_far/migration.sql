-- Marks what is closed already, while payments go on.
UPDATE suspense_items s SET is_closed = true
WHERE EXISTS (
    SELECT FROM transfers t
    WHERE t.event_key IN (
            'placed:' || substr(s.event_key, strpos(s.event_key, ':') + 1),
            'refunded:' || substr(s.event_key, strpos(s.event_key, ':') + 1)
        )
        AND t.debit = 'suspense:' || s.reason
);
