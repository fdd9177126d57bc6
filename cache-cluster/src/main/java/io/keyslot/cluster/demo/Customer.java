// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

/** A customer of the food chain. The visits since this entry was loaded are known only to the cache. */
record Customer(int id, String name, String city, String card, int visits) {
    Customer afterVisit() {
        return new Customer(id, name, city, card, visits + 1);
    }
}
