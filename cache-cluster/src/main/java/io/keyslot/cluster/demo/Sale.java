// SPDX-License-Identifier: Apache-2.0
package io.keyslot.cluster.demo;

import java.math.BigDecimal;

record Sale(int product, int store, int units, BigDecimal amount) {}
