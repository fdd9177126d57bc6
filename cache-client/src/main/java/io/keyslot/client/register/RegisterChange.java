// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A change that was made: its unique id, the version of the text after it, and a description for people, truncated if
 * long; no decision depends on it. The ids of steps, of which there may be many for each change by a person, start with
 * {@link #STEP}.
 */
public record RegisterChange(String id, long version, String about) {
    public static final String STEP = "step/";

    private static final int LONGEST_ABOUT = 200;
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:/-]{1,200}");

    public RegisterChange {
        if (!ALLOWED.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "the id of an operation must be 1 to 200 letters, digits, '.', '_', ':', '/' or '-'");
        }
        String shortened = about.length() > LONGEST_ABOUT ? about.substring(0, LONGEST_ABOUT) : about;
        about = new String(
                shortened.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8); // replaces half a character
    }

    public RegisterChange(String id, long version) {
        this(id, version, "");
    }

    /** Returns whether it is listed longer than others, for people. */
    boolean isKept() {
        return !about.isEmpty() && !id.startsWith(STEP);
    }
}
