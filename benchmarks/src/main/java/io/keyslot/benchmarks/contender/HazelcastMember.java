// SPDX-License-Identifier: Apache-2.0
package io.keyslot.benchmarks.contender;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A process that is one Hazelcast member. It ends when its standard input does. */
final class HazelcastMember {
    /** What it says when it has joined. */
    static final String READY = "ready";

    private HazelcastMember() {}

    /** Takes the own address, and those of all members with it. */
    public static void main(String[] arguments) throws IOException {
        String address = arguments[0];
        List<String> members = Arrays.asList(arguments).subList(1, arguments.length);
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        HazelcastInstance member = Hazelcast.newHazelcastInstance(HazelcastContenders.memberConfig(port, members));
        System.out.println(READY);
        try {
            while (System.in.read() >= 0) {
                // nothing is ever sent; the end is what is waited for
            }
        } finally {
            member.shutdown();
        }
    }
}
