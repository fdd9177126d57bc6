// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.partition.redis.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandshakeCommandsTest {
    private static final String LIST = """
        id=3 addr=127.0.0.1:50110 laddr=127.0.0.1:6379 fd=8 name=keyslot:shop:1 age=9 idle=0 flags=N db=0 sub=0
        id=4 addr=127.0.0.1:50112 laddr=127.0.0.1:6379 fd=9 name= age=9 idle=0 flags=N db=0 sub=0
        id=5 addr=127.0.0.1:50114 laddr=127.0.0.1:6379 fd=10 name=keyslot:shop:1 age=9 idle=0 flags=N db=1 sub=0
        id=6 addr=127.0.0.1:50116 laddr=127.0.0.1:6379 fd=11 name=mykeyslot:x age=9 idle=0 flags=N db=0 sub=0
        id=70 addr=127.0.0.1:50118 laddr=127.0.0.1:6379 fd=12 name=keyslot:other:2 age=9 idle=0 flags=N db=0 sub=0
        id=71 addr=127.0.0.1:50119 laddr=127.0.0.1:6379 fd=14 name=keyslot:other:- age=9 idle=0 flags=N db=0 sub=0
        id=8 addr=127.0.0.1:50120 laddr=127.0.0.1:6379 fd=13 name=keyslot:shop:1 age=9 idle=0 flags=N db=0 sub=0
        """;

    @Test
    void others_areThoseOfKeyslotInTheSameDatabase() {
        assertThat(HandshakeCommands.othersBeside(8, LIST)).containsExactly(3L, 70L);
        assertThat(HandshakeCommands.othersBeside(5, LIST)).isEmpty();
    }

    @Test
    void others_areAllOfKeyslotIfOurOwnDatabaseIsNotListed() {
        assertThat(HandshakeCommands.othersBeside(99, LIST)).containsExactly(3L, 5L, 70L, 8L);
    }

    @Test
    void others_areNotThoseInTheirHandshake() {
        assertThat(HandshakeCommands.othersBeside(8, LIST)).doesNotContain(71L);
    }

    @Test
    void linesThatNobodyCanRead_arePassedOver() {
        assertThat(HandshakeCommands.othersBeside(8, "nonsense\nname=keyslot:x\nid= name=keyslot:y db=0\n"))
                .isEmpty();
    }
}
