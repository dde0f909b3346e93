\include Sealing/0001_sealing_keys.sql
