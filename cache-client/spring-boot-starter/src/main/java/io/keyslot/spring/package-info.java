// SPDX-License-Identifier: Apache-2.0

/**
 * Keyslot in a Spring Boot application, 3.5 or 4.1: {@code keyslot.*} properties, the managers of JCache and of
 * Spring's cache abstraction, meters, health, an endpoint, and the analysis of failures at the start.
 */
@NullMarked
package io.keyslot.spring;

import org.jspecify.annotations.NullMarked;
