// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client;

import java.net.URI;
import java.util.HashSet;
import java.util.Set;

/** The names of managers in threads and meters: short, equal on every machine, and unique here. Thread-safe. */
public final class ManagerNames {
    private static final int LONGEST = 64;
    private static final String NAMELESS = "keyslot";

    private final Set<String> used = new HashSet<>();

    ManagerNames() {}

    /**
     * Returns the name of a manager: the text of the URI if it is only a name, otherwise the name of its file without
     * directories, which differ between machines, and without extension.
     */
    public static String of(URI uri) {
        String text = uri.toString();
        int query = firstOf(text, '?', '#');
        String path = text.substring(0, query);
        String file = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
        int dot = file.lastIndexOf('.');
        String name = isMereName(uri) || dot <= 0 ? file : file.substring(0, dot);
        String plain = name.replaceAll("[^A-Za-z0-9._-]+", "-");
        String bounded = plain.length() <= LONGEST ? plain : plain.substring(0, LONGEST);
        return bounded.isEmpty() ? NAMELESS : bounded;
    }

    private static boolean isMereName(URI uri) {
        return uri.getScheme() == null && uri.toString().indexOf('/') < 0;
    }

    private static int firstOf(String text, char one, char other) {
        int a = text.indexOf(one);
        int b = text.indexOf(other);
        return Math.min(a < 0 ? text.length() : a, b < 0 ? text.length() : b);
    }

    /** Returns this name, with the first free number appended if it is in use. */
    synchronized String claim(String name) {
        String candidate = name;
        for (int number = 2; !used.add(candidate); number++) {
            candidate = name + "-" + number;
        }
        return candidate;
    }

    synchronized void release(String name) {
        used.remove(name);
    }
}
