-- Each second and each ten seconds the newest rows are looked for by these. Until a stretch of a table is summarized, all of it is
-- read, and a large table is vacuumed only when a fifth of it is new.
ALTER INDEX intent_steps_at_idx SET (autosummarize = on);
ALTER INDEX provider_messages_received_at_applied_at_idx SET (autosummarize = on);
