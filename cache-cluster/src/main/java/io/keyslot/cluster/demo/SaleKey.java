// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.GroupKey;
import java.io.Serializable;

/**
 * The key of a sale. The tables of sales have none, and no combination of their columns is unique, so a sale is a line
 * of what the customer bought on a day.
 *
 * @param customer who bought; the sales of a customer are in the customer's group
 * @param day the day, as FoodMart counts them
 * @param line from 0 on, in the order of all columns; lines that are equal in all of them are interchangeable
 */
record SaleKey(@GroupKey int customer, int day, int line) implements Serializable {
    private static final long serialVersionUID = 1L;
}
