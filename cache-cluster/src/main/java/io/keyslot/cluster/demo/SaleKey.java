// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import io.keyslot.cache.GroupKey;

/**
 * The key of a sale in the group of its customer. No combination of the table's columns is unique, so the key is a line
 * number within the customer's purchases of a day, in the order of all columns.
 */
record SaleKey(@GroupKey int customer, int day, int line) {}
