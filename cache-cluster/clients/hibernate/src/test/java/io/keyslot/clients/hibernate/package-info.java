// SPDX-License-Identifier: Apache-2.0
/** Hibernate's second level cache. Compiled and run with each supported version of Hibernate. */
@NullMarked
package io.keyslot.clients.hibernate;

import org.jspecify.annotations.NullMarked;
