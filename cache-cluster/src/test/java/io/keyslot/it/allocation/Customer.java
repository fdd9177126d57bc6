// SPDX-License-Identifier: Apache-2.0
package io.keyslot.it.allocation;

import java.time.LocalDate;

/** A value of usual size: about 150 bytes when it is encoded. */
record Customer(
        long id, String name, String street, String city, String country, LocalDate since, int orders, boolean active) {
    static Customer of(int id) {
        return new Customer(
                id,
                "Ada Lovelace",
                "12 St James's Square",
                "London",
                "United Kingdom",
                LocalDate.of(1815, 12, 10),
                42,
                true);
    }
}
