// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.cli;

/** Who changes the map by a command, for people. */
final class Actor {
    private Actor() {}

    static String name() {
        return "keyslot, by " + System.getProperty("user.name", "somebody");
    }
}
