-- New with 3: who was erased keeps nothing in presence.

INSERT INTO presence.erased (account, at)
VALUES (4, 1741004100000000);
