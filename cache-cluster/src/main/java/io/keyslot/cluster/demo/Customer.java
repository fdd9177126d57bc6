// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.io.Serializable;

/**
 * A customer of the food chain.
 *
 * @param id from 1 on
 * @param name first and last name
 * @param city where they live
 * @param card the kind of their membership card
 * @param visits how often they were at the till since this entry was loaded; known to the cache only
 */
record Customer(int id, String name, String city, String card, int visits) implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Returns this customer after one more visit. */
    Customer afterVisit() {
        return new Customer(id, name, city, card, visits + 1);
    }
}
