\include Sealing/add_sealing_key.sql
