// SPDX-License-Identifier: Apache-2.0
package io.keyslot.client.register;

import java.util.regex.Pattern;

/**
 * A change that was made.
 *
 * @param id which nobody gives to another change
 * @param version the version of the text after it
 */
public record RegisterChange(String id, long version) {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._:/-]{1,200}");

    public RegisterChange {
        check(id);
    }

    private static void check(String id) {
        if (!ALLOWED.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "the id of an operation must be 1 to 200 letters, digits, '.', '_', ':', '/' or '-'");
        }
    }
}
