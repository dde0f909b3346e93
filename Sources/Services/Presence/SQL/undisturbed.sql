CREATE OR REPLACE VIEW presence.undisturbed AS
SELECT account
FROM presence.people
WHERE availability = {Availability.saysDoNotDisturb};
COMMENT ON VIEW presence.undisturbed IS 'People who say that they do not want to be disturbed.';
GRANT SELECT ON presence.undisturbed TO parley_notifications;
