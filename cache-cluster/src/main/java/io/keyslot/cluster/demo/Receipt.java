// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a customer bought on a day.
 *
 * @param customer who
 * @param day when, as FoodMart counts days
 * @param products the product of each line
 */
record Receipt(int customer, int day, List<Integer> products) {
    Receipt {
        products = List.copyOf(products);
    }

    /** Returns how many sales these are. */
    int lines() {
        return products.size();
    }

    /** Returns the key of a line. */
    SaleKey key(int line) {
        return new SaleKey(customer, day, line);
    }

    /** Returns the keys of all lines. */
    Set<SaleKey> keys() {
        return IntStream.range(0, lines()).mapToObj(this::key).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
