-- Which of a provider's platforms took the prompt, where there is more than one: it is asked about there alone.
ALTER TABLE wire_attempts
    ADD COLUMN platform TEXT,
    ADD CONSTRAINT wire_attempts_platform_shape CHECK (platform ~ '^[a-z][a-z0-9_]{0,31}$');
