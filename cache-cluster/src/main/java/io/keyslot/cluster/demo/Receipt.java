// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The purchases of a customer on a day, as FoodMart counts days. */
record Receipt(int customer, int day, List<Integer> products) {
    Receipt {
        products = List.copyOf(products);
    }

    int lines() {
        return products.size();
    }

    SaleKey key(int line) {
        return new SaleKey(customer, day, line);
    }

    Set<SaleKey> keys() {
        return IntStream.range(0, lines()).mapToObj(this::key).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
