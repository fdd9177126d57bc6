// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.fault;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Why a server that executes reads refuses writes. */
enum Refusal {
    /** It could not write its file: the disk is full or gone. */
    MISCONF {
        @Override
        void begin(Resp admin) throws IOException {
            Path gone = Files.createTempDirectory("keyslot-gone-");
            admin.ask("CONFIG", "SET", "save", "86400 1000000");
            admin.ask("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes");
            admin.ask("CONFIG", "SET", "dir", gone.toString());
            Files.delete(gone);
            admin.ask("BGSAVE");
            await("a save failed")
                    .atMost(Refusal.FAILED_WITHIN)
                    .until(() -> admin.ask("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
        }

        @Override
        void end(Resp admin) throws IOException {
            admin.ask("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            admin.ask("CONFIG", "SET", "dir", System.getProperty("java.io.tmpdir"));
        }
    },
    NOREPLICAS {
        @Override
        void begin(Resp admin) throws IOException {
            admin.ask("CONFIG", "SET", "min-replicas-to-write", "1");
        }

        @Override
        void end(Resp admin) throws IOException {
            admin.ask("CONFIG", "SET", "min-replicas-to-write", "0");
        }
    },
    NOPERM {
        @Override
        void begin(Resp admin) throws IOException {
            admin.ask("ACL", "SETUSER", "default", "-@write", "-@scripting");
        }

        @Override
        void end(Resp admin) throws IOException {
            admin.ask("ACL", "SETUSER", "default", "+@all");
        }
    },
    FULL_AND_NOT_ALLOWED_TO_DELETE {
        @Override
        void begin(Resp admin) throws IOException {
            admin.ask("ACL", "SETUSER", "default", "-unlink", "-del");
            admin.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
            admin.ask("CONFIG", "SET", "maxmemory", "1");
        }

        @Override
        void end(Resp admin) throws IOException {
            admin.ask("CONFIG", "SET", "maxmemory", "0");
            admin.ask("ACL", "SETUSER", "default", "+@all");
        }
    },
    READONLY {
        @Override
        void begin(Resp admin) throws IOException {
            admin.ask("REPLICAOF", "127.0.0.1", "1");
        }

        @Override
        void end(Resp admin) throws IOException {
            admin.ask("REPLICAOF", "NO", "ONE");
        }
    };

    /** Lets a server change where its file is. */
    static final String[] SERVER_ARGUMENTS = {"--enable-protected-configs", "yes"};

    private static final Duration FAILED_WITHIN = Duration.ofSeconds(10);

    abstract void begin(Resp admin) throws IOException;

    abstract void end(Resp admin) throws IOException;
}
